import type { BootData } from '../../src/contract/interactions/boot.ts'

/** Checks whether an error means that a link from an email or an invitation has expired. */
export const isExpiredLink = ({ code }: NonNullable<BootData['error']>): boolean =>
  /^user\.(?:invitation|undo_link)_/.test(code)

/** Checks whether an error ends the interaction. */
export const endsInteraction = ({ code }: NonNullable<BootData['error']>): boolean =>
  code.startsWith('session.')
