/**
 * The cost of verifying a stored password. The unit is one KiB that Argon2 fills once, so the cost of Argon2 is memory
 * times passes (spec/accounts#equal-work). The factors of the other methods were measured. They are part of the index
 * `users_password_work`, so changing them requires a migration.
 */

/** The parameters of our own hashes (spec/accounts#password-hashing). */
export const NATIVE_MEMORY_KIB = 19_456
export const NATIVE_PASSES = 2
export const NATIVE_WORK = NATIVE_MEMORY_KIB * NATIVE_PASSES

/** The work per round; there are 2^cost rounds. */
export const BCRYPT_WORK = 86
/** The work per block; there are 2^ln·r·p blocks. */
export const SCRYPT_WORK = 0.5
/** The work per iteration and block. */
export const PBKDF2_WORK = { sha256: 4.35, sha512: 5 }

const encoded = '"password_encrypted"'
const numberAfter = (mark: string) =>
  `cast(substr(${encoded}, instr(${encoded}, '${mark}') + ${mark.length}) as integer)`
/** The hash follows the last dollar sign. */
const hashBytes = `(length(${encoded}) - length(rtrim(${encoded}, replace(${encoded}, '$', '')))) * 3 / 4`
const pbkdf2 = (work: number, blockBytes: number) =>
  `${numberAfter('$i=')} * ((${hashBytes} + ${blockBytes - 1}) / ${blockBytes}) * ${Math.round(work * 100)} / 100`

/**
 * An SQL expression on `users` for the cost of verifying a password. It is 0 for a plain digest or if there is no
 * password.
 */
export const PASSWORD_WORK_SQL = `case
  when substr(${encoded}, 1, 7) = '$argon2' then ${numberAfter('$m=')} * ${numberAfter(',t=')}
  when substr(${encoded}, 1, 2) = '$2' then (1 << cast(substr(${encoded}, 5, 2) as integer)) * ${BCRYPT_WORK}
  when substr(${encoded}, 1, 8) = '$scrypt$' then (1 << ${numberAfter('$ln=')}) * ${numberAfter(',r=')} * ${numberAfter(',p=')} * ${SCRYPT_WORK * 100} / 100
  when substr(${encoded}, 1, 14) = '$pbkdf2-sha256' then ${pbkdf2(PBKDF2_WORK.sha256, 32)}
  when substr(${encoded}, 1, 14) = '$pbkdf2-sha512' then ${pbkdf2(PBKDF2_WORK.sha512, 64)}
  else 0 end`.replaceAll(/\n\s*/g, ' ')

/**
 * Matches password hashes that cost more to verify than our own. Only these are in the index, so it has few or no
 * entries.
 */
export const IS_COSTLY_PASSWORD_SQL = `(${PASSWORD_WORK_SQL}) > ${NATIVE_WORK}`
