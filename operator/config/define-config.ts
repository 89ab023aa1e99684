import type { ConfigInput, SecretReference } from './file.schema.ts'

/** Gives an editor the types of the settings in `vestibule.config.ts`. */
export const defineConfig = (config: ConfigInput): ConfigInput => config

/**
 * References a secret that is not in the file: the value of an environment variable at the time the file is applied.
 */
export const secret = (variable: string): SecretReference => ({ env: variable })
