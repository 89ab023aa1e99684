import { fileURLToPath } from 'node:url'

/** The root folder of the repository, whatever the working directory is. */
export const root = fileURLToPath(new URL('..', import.meta.url))
