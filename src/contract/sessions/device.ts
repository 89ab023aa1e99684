/** Where users enter the code of a device, as short as it can be: it is typed (spec/provider#devices). */
export const DEVICE_PATH = '/device'

/** What a page about a device shows (spec/pages#devices). */
export type DevicePage =
  | (DeviceForm & {
      stage: 'code'
      /** What the field holds already. */
      code: string
      problem: DeviceProblem | null
    })
  | (DeviceForm & { stage: 'question'; code: string; question: DeviceQuestion })
  | { stage: 'allowed' }
  | { stage: 'denied' }
  /** Answered already, in another browser. */
  | { stage: 'used' }

/** Posted to the library, with its `xsrf` value. */
type DeviceForm = { action: string; xsrf: string }

/** Why the code is asked for again. */
export type DeviceProblem = 'unknown' | 'used' | 'again' | { message: string }

/** What the user decides about: who asks, from where and as whom. */
export type DeviceQuestion = {
  application: { name: string; logo: string | null }
  asked: { at: number; userAgent: string | null; country: string | null; city: string | null }
  /** The account that is signed in; null where the sign-in comes next. */
  account: string | null
}
