import type { ConfigInput, SecretReference } from './file.schema.ts'

/** For `vestibule.config.ts`: its whole use is that an editor knows what may be written there. */
export const defineConfig = (config: ConfigInput): ConfigInput => config

/** A secret that is not in the file: the value of an environment variable when the file is applied. */
export const secret = (variable: string): SecretReference => ({ env: variable })
