/**
 * Returns the code from a text message received on this device, if the browser supports Web OTP and the user
 * allows it with one tap. For this purpose, the message names our host (spec/accounts#code-message). Other
 * browsers rely on `autocomplete="one-time-code"`.
 */
export async function receiveCode(signal: AbortSignal): Promise<string | null> {
  if (!('OTPCredential' in window)) return null
  // The DOM types do not include Web OTP.
  const request: CredentialRequestOptions & { otp: { transport: string[] } } = {
    otp: { transport: ['sms'] },
    signal,
  }
  // If the request is denied, times out or is aborted, the user has to type the code.
  const received = await navigator.credentials.get(request).catch(() => null)
  return received && 'code' in received && typeof received.code === 'string' ? received.code : null
}
