import { fileURLToPath } from 'node:url'

/** The folder of the repository, independent of the working directory. */
export const root = fileURLToPath(new URL('..', import.meta.url))
