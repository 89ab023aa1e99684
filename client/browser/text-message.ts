/**
 * The code of a text message that this device receives, where the browser has Web OTP: the user allows it with one touch. The
 * message names our host for that (spec/accounts#code-message). Elsewhere `autocomplete="one-time-code"` applies.
 */
export async function receivedCode(signal: AbortSignal): Promise<string | null> {
  if (!('OTPCredential' in window)) return null
  // The types of the DOM do not have Web OTP.
  const request: CredentialRequestOptions & { otp: { transport: string[] } } = {
    otp: { transport: ['sms'] },
    signal,
  }
  // Refused, timed out or aborted: then the user types it.
  const received = await navigator.credentials.get(request).catch(() => null)
  return received && 'code' in received && typeof received.code === 'string' ? received.code : null
}
