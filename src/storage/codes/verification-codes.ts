import { and, eq, gt, gte, inArray, isNull, lt, lte, ne, notExists, type SQL, sql } from 'drizzle-orm'
import type { InteractionEvent } from '../../contract/interactions/identifiers.ts'
import {
  MAX_VERIFICATION_CODE_TRIES,
  VERIFICATION_CODE_LIFETIME,
  type VerifiedAddress,
} from '../../domain/codes/verification-codes.ts'
import { runInOneBatch, type Statement } from '../batches.ts'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import type { Seals } from '../seal.ts'
import { passcodes } from '../tables.ts'

/**
 * Verification codes (spec/accounts#verification-code). A code belongs to an interaction and its event or, if it is
 * generic, only to an address. Each of these owners has at most one unused code. The database stores only the digest of
 * a code (spec/storage#passcodes).
 */
export type VerificationCodeOwner = { uid: string; type: InteractionEvent } | { generic: VerifiedAddress }

const DIGITS = 6 // spec/limits#codes
const CODES = 10 ** DIGITS
/** The first random number that is rejected, because larger numbers would make low codes more likely than high ones. */
const FAIR = 2 ** 32 - (2 ** 32 % CODES)

/** Returns a random code. Like `randomId`, it does not take its randomness as an argument. */
export function randomVerificationCode(): string {
  for (;;) {
    const [number = FAIR] = crypto.getRandomValues(new Uint32Array(1))
    if (number < FAIR) return String(number % CODES).padStart(DIGITS, '0')
  }
}

/**
 * Creates a code that replaces earlier codes of the same owner (spec/accounts#code-creation), even if it is for another
 * address. The code is stored in one batch, so if several codes are created concurrently, only one of them remains. If
 * the database executes the batch late and a newer code exists by then, nothing is stored (spec/storage#late-writes)
 * and false is returned.
 */
export async function createVerificationCode(
  { db, seals }: CodeStore,
  tenantId: string,
  newCode: NewCode & { also?: Statement },
): Promise<boolean> {
  const { owner, now, also } = newCode
  const row = await createCodeRow(seals, tenantId, newCode)
  const isNewest = notExists(codesOf(db, tenantId, owner, gt(passcodes.createdAt, now)))
  const { created } = await runInOneBatch(db, {
    created: insertCode(db, row, isNewest),
    earlier: db
      .delete(passcodes)
      .where(and(isUnused(tenantId, owner), lte(passcodes.createdAt, now), ne(passcodes.id, row.id))),
    also,
  })
  return created.length > 0
}

export type CodeStore = { db: Database; seals: Seals }
type CodeOf = { owner: VerificationCodeOwner; address: VerifiedAddress; code: string }
export type NewCode = CodeOf & { now: number }
type CodeRow = Awaited<ReturnType<typeof createCodeRow>>

export async function createCodeRow(seals: Seals, tenantId: string, newCode: NewCode) {
  const { owner, address, now } = newCode
  const [codeDigest] = await digestsOf(seals, tenantId, newCode)
  // The values are in table order, because drizzle lists the columns of INSERT … SELECT in that order.
  return {
    tenantId,
    id: randomId(),
    interactionJti: 'uid' in owner ? owner.uid : null,
    phone: address.type === 'phone' ? address.value : null,
    email: address.type === 'email' ? address.value : null,
    type: 'uid' in owner ? owner.type : 'Generic',
    code: null,
    consumed: 0,
    tryCount: 0,
    createdAt: now,
    codeDigest,
  } satisfies Record<keyof typeof passcodes.$inferSelect, unknown>
}

/** Stores a code if a condition holds. Returns the row of the code if it was stored. */
export const insertCode = (db: Database, row: CodeRow, condition: Condition) =>
  db
    .insert(passcodes)
    .select(
      sql`select ${sql.join(
        Object.values(row).map((value) => sql`${value}`),
        sql`, `,
      )} where ${condition}`,
    )
    .returning({ id: passcodes.id })

/** Selects the codes of an owner, used or not. */
export const codesOf = (
  db: Database,
  tenantId: string,
  owner: VerificationCodeOwner,
  condition?: Condition,
) =>
  db
    .select({
      email: passcodes.email,
      phone: passcodes.phone,
      consumed: passcodes.consumed,
      createdAt: passcodes.createdAt,
    })
    .from(passcodes)
    .where(and(isOfOwner(tenantId, owner), condition))

/**
 * Returns the digests of a code under the current root secret and, if set, the previous one. They are bound to the
 * tenant, owner and address, so a digest that is copied into another row is useless.
 */
const digestsOf = (seals: Seals, tenantId: string, { owner, address: { type, value }, code }: CodeOf) =>
  seals.digests(`code/${tenantId}`, [
    ...('uid' in owner ? [owner.uid, owner.type] : ['Generic']),
    type,
    value,
    code,
  ])

/** An attempt to verify a code; `digests` are the digests of the code that the user entered. */
export type VerificationCodeAttempt = CodeOf & { now: number; digests: readonly string[] }

/** Computes the digests of an attempt. This is asynchronous, so callers do it before they build the statement. */
export const prepareVerificationCodeAttempt = async (
  seals: Seals,
  tenantId: string,
  attempt: Omit<VerificationCodeAttempt, 'digests'>,
): Promise<VerificationCodeAttempt> => ({ ...attempt, digests: await digestsOf(seals, tenantId, attempt) })

/** Checks whether the owner of an attempt has a valid code, which the attempt could guess. */
export const hasAttemptsLeft = (
  tenantId: string,
  attempt: Omit<VerificationCodeAttempt, 'code' | 'digests'>,
) => validCodeExists(tenantId, attempt, ALWAYS_TRUE)

/** Checks whether the attempt has the valid code of its owner. */
export const isRightCode = (tenantId: string, attempt: VerificationCodeAttempt) =>
  validCodeExists(tenantId, attempt, isThisCode(attempt))

const validCodeExists = (
  tenantId: string,
  { owner, address, now }: Omit<VerificationCodeAttempt, 'code' | 'digests'>,
  condition: Condition,
): Condition =>
  sql`exists (select 1 from ${passcodes} where ${and(
    isUnused(tenantId, owner),
    eq(passcodes[address.type], address.value),
    gte(passcodes.createdAt, now - VERIFICATION_CODE_LIFETIME),
    lt(passcodes.tryCount, MAX_VERIFICATION_CODE_TRIES),
    condition,
  )})`

// Only an earlier version of the Worker stores a plain `code`. It expires within ten minutes, like any other code.
const isThisCode = ({ digests, code }: Pick<VerificationCodeAttempt, 'digests' | 'code'>): SQL =>
  sql`coalesce(${inArray(passcodes.codeDigest, [...digests])}, ${passcodes.code} = ${code})`

/**
 * Tries a code in one statement (spec/storage#conditional-statements), so that only one of several concurrent attempts
 * succeeds and at most ten are counted. Returns the updated row of the code, which `checkVerificationCode` interprets.
 * All attempts after the tenth are recorded as the eleventh, to distinguish them from the tenth. A code that was used
 * or has no attempts left is cleared (spec/accounts#code-check).
 */
export function attemptVerificationCode(
  db: Database,
  tenantId: string,
  { owner, address, code, digests, now, condition }: VerificationCodeAttempt & { condition?: Condition },
) {
  const isForAddress = sql`${passcodes[address.type]} = ${address.value}`
  const isAlive = sql`${passcodes.createdAt} >= ${now - VERIFICATION_CODE_LIFETIME}`
  const isRight = sql`${passcodes.tryCount} < ${MAX_VERIFICATION_CODE_TRIES} and ${isThisCode({ digests, code })}`
  const byOutcome = (outcomes: { right: SQL; wrong: SQL; expired: SQL; foreign: SQL }) => sql`case
    when not coalesce(${isForAddress}, 0) then ${outcomes.foreign}
    when not (${isAlive}) then ${outcomes.expired}
    when coalesce(${isRight}, 0) then ${outcomes.right}
    else ${outcomes.wrong} end`

  const { tryCount } = passcodes
  const valueAfterTry = (stored: typeof passcodes.code | typeof passcodes.codeDigest) =>
    byOutcome({
      right: sql`null`,
      wrong: sql`case when ${tryCount} + 1 < ${MAX_VERIFICATION_CODE_TRIES} then ${stored} end`,
      expired: sql`null`,
      foreign: sql`${stored}`,
    })
  return db
    .update(passcodes)
    .set({
      consumed: byOutcome({ right: sql`1`, wrong: sql`0`, expired: sql`0`, foreign: sql`0` }),
      tryCount: byOutcome({
        right: sql`${tryCount}`,
        wrong: sql`min(${tryCount} + 1, ${MAX_VERIFICATION_CODE_TRIES + 1})`,
        expired: sql`${tryCount}`,
        foreign: sql`${tryCount}`,
      }),
      code: valueAfterTry(passcodes.code),
      codeDigest: valueAfterTry(passcodes.codeDigest),
    })
    .where(and(isUnused(tenantId, owner), condition))
    .returning({
      email: passcodes.email,
      phone: passcodes.phone,
      consumed: passcodes.consumed,
      tryCount: passcodes.tryCount,
      createdAt: passcodes.createdAt,
    })
}

const isUnused = (tenantId: string, owner: VerificationCodeOwner): SQL | undefined =>
  and(isOfOwner(tenantId, owner), eq(passcodes.consumed, false))

function isOfOwner(tenantId: string, owner: VerificationCodeOwner): SQL | undefined {
  const isOwned =
    'uid' in owner
      ? and(eq(passcodes.interactionJti, owner.uid), eq(passcodes.type, owner.type))
      : and(isNull(passcodes.interactionJti), eq(passcodes.type, 'Generic'), isSentTo(owner.generic))
  return and(eq(passcodes.tenantId, tenantId), isOwned)
}

/** Matches the exact address. The index contains e-mail addresses in lower case. */
const isSentTo = ({ type, value }: VerifiedAddress) =>
  type === 'phone'
    ? eq(passcodes.phone, value)
    : and(sql`lower(${passcodes.email}) = lower(${value})`, eq(passcodes.email, value))
