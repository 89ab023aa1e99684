/**
 * Events that are counted together with failed requests, although they are not requests (spec/storage#failed-requests).
 */

/** An audit row that was not written because of the hourly limit (spec/limits#log-rows). */
export const NOT_LOGGED = 'log.not_written'

/** An interaction that expired without leaving a row in the audit log. */
export const ABANDONED_INTERACTION = 'interaction.abandoned'

/** A request whose scope `offline_access` was left out, because it came from a third party without `prompt=consent`. */
export const OFFLINE_ACCESS_DROPPED = 'offline_access.dropped'
