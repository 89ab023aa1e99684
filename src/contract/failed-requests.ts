/** Events that are counted with failed requests although no request failed (spec/storage#failed-requests). */

/** Audit rows beyond the hourly limit (spec/limits#log-rows). */
export const NOT_LOGGED = 'log.not_written'

/** Interactions that expired without leaving a row in the audit log. */
export const ABANDONED = 'interaction.abandoned'
