import type { ConfigInput, SecretReference } from './file.schema.ts'

/** For `vestibule.config.ts`: gives an editor the types of the settings. */
export const defineConfig = (config: ConfigInput): ConfigInput => config

/** A secret that is not in the file: the value of an environment variable when the file is applied. */
export const secret = (variable: string): SecretReference => ({ env: variable })
