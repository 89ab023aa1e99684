/** The path at which users enter a device's code. It is short, because users type it (spec/provider#devices). */
export const DEVICE_PATH = '/device'

/** The page of the device flow, on which users allow a device to sign in (spec/pages#devices). */
export type DevicePage =
  | (DeviceForm & {
      stage: 'code'
      /** The code with which the field is prefilled. */
      code: string
      problem: DeviceProblem | null
    })
  | (DeviceForm & { stage: 'question'; code: string; question: DeviceQuestion })
  | { stage: 'allowed' }
  | { stage: 'denied' }
  /** The page for a code that was already used in another browser. */
  | { stage: 'used' }

/** The confirmation form, which is submitted to the library with its `xsrf` value. */
type DeviceForm = { action: string; xsrf: string }

/** The reason why the page asks for the code again. */
export type DeviceProblem = 'unknown' | 'used' | 'again' | { message: string }

/** The details that the user confirms: which device requests access, from where, and for which account. */
export type DeviceQuestion = {
  application: { name: string; logo: string | null }
  asked: { at: number; userAgent: string | null; country: string | null; city: string | null }
  /** The name of the signed-in account, or null if the user still has to sign in. */
  account: string | null
}
