/** Where users enter the code of a device. The path is short because users type it (spec/provider#devices). */
export const DEVICE_PATH = '/device'

/** The page for signing in on a device (spec/pages#devices). */
export type DevicePage =
  | (DeviceForm & {
      stage: 'code'
      /** The code that the field already contains. */
      code: string
      problem: DeviceProblem | null
    })
  | (DeviceForm & { stage: 'question'; code: string; question: DeviceQuestion })
  | { stage: 'allowed' }
  | { stage: 'denied' }
  /** The code was already used in another browser. */
  | { stage: 'used' }

/** The form is posted to the library, with its `xsrf` value. */
type DeviceForm = { action: string; xsrf: string }

/** Why the page asks for the code again. */
export type DeviceProblem = 'unknown' | 'used' | 'again' | { message: string }

/** What the user decides about: which device asks, from where, and for which account. */
export type DeviceQuestion = {
  application: { name: string; logo: string | null }
  asked: { at: number; userAgent: string | null; country: string | null; city: string | null }
  /** The account that is signed in, or null if the sign-in comes next. */
  account: string | null
}
