/** What is counted with failed requests although nothing was refused (spec/storage#failed-requests). */

/** Audit rows above the ceiling of an hour (spec/limits#log-rows). */
export const NOT_LOGGED = 'log.not_written'

/** Interactions that expired and of which the audit log has no row. */
export const ABANDONED = 'interaction.abandoned'
