import type { ConfigInput, SecretReference } from './file.schema.ts'

/** Types the settings in `vestibule.config.ts` for editors. */
export const defineConfig = (config: ConfigInput): ConfigInput => config

/**
 * References a secret that is not in the file. When the file is applied, the value is read from the environment
 * variable.
 */
export const secret = (variable: string): SecretReference => ({ env: variable })
