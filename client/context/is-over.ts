import type { BootData } from '../../src/contract/interactions/boot.ts'

/** Whether an error is the end of the interaction. */
export const isOver = ({ code }: NonNullable<BootData['error']>): boolean => code.startsWith('session.')
