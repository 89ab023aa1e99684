/**
 * Returns the code of a text message that this device receives, if the browser supports Web OTP: the user allows it
 * with one tap. The message names our host for this purpose (spec/accounts#code-message). Other browsers rely on
 * `autocomplete="one-time-code"`.
 */
export async function receiveCode(signal: AbortSignal): Promise<string | null> {
  if (!('OTPCredential' in window)) return null
  // The DOM types lack Web OTP.
  const request: CredentialRequestOptions & { otp: { transport: string[] } } = {
    otp: { transport: ['sms'] },
    signal,
  }
  // If the request is denied, times out or is aborted, the user types the code.
  const received = await navigator.credentials.get(request).catch(() => null)
  return received && 'code' in received && typeof received.code === 'string' ? received.code : null
}
