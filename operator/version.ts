import manifest from '../package.json' with { type: 'json' }

/** The version of this clone, which a deployment of it has too. */
export const { version } = manifest
