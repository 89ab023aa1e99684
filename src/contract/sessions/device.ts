/** The path at which users enter a device's code. It is short, because users type it (spec/provider#devices). */
export const DEVICE_PATH = '/device'

/** The query parameter with which the page lets the user sign in to another account before it continues. */
export const OTHER_ACCOUNT_PARAM = 'other_account'

/** A page of the device flow, on which users enter the code of a device (spec/pages#devices). */
export type DevicePage =
  | {
      stage: 'code'
      /** The URL and the `xsrf` value with which the library receives the form. */
      action: string
      xsrf: string
      /** The code with which the field is prefilled. */
      code: string
      isSignedIn: boolean
      /** True if the user wants to sign in to another account. */
      choosesAccount: boolean
      problem: DeviceProblem | null
    }
  | { stage: 'allowed' }
  | { stage: 'denied' }
  /** The page for a code that was already used in another browser. */
  | { stage: 'used' }

/** The reason why the page asks for the code again. */
export type DeviceProblem = 'unknown' | 'used' | 'again' | { message: string }

/** The request of a device, which users compare with the device in front of them. */
export type DeviceRequest = {
  code: string
  at: number
  userAgent: string | null
  country: string | null
  city: string | null
}
