/**
 * The version of Vestibule, which only package.json contains. This module works in bundles; Node cannot import a single
 * name from JSON, so the commands have operator/version.ts.
 */
export { version } from '../../package.json'
