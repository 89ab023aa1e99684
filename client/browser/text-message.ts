/**
 * The code of a text message that this device receives, where the browser can ask for it: the visitor allows it with one
 * touch. The message names our host for that (decision 11). Elsewhere `autocomplete="one-time-code"` has to do.
 */
export async function receivedCode(signal: AbortSignal): Promise<string | null> {
  if (!('OTPCredential' in window)) return null
  // Web OTP, which the DOM's own types do not know yet.
  const wanted: CredentialRequestOptions & { otp: { transport: string[] } } = {
    otp: { transport: ['sms'] },
    signal,
  }
  // Refused, timed out or left: then it is typed.
  const received = await navigator.credentials.get(wanted).catch(() => null)
  return received && 'code' in received && typeof received.code === 'string' ? received.code : null
}
