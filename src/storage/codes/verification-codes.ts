import { and, eq, gt, gte, inArray, isNull, lt, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { Refusal } from '../../contract/errors.ts'
import type { InteractionEvent } from '../../contract/interactions/identifiers.ts'
import {
  checkVerificationCode,
  MAX_VERIFICATION_CODE_TRIES,
  VERIFICATION_CODE_LIFETIME,
  type VerifiedAddress,
} from '../../domain/codes/verification-codes.ts'
import { type Statement, sendTogether } from '../batches.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import type { Seals } from '../seal.ts'
import { passcodes } from '../tables.ts'

/**
 * Verification codes (spec/accounts#verification-code). A code belongs to an interaction and its event, or, for generic
 * codes, to an address alone. Each owner has at most one unused code. The database has its digest (spec/storage#passcodes).
 */
export type VerificationCodeOwner = { uid: string; type: InteractionEvent } | { generic: VerifiedAddress }

/** A code as second factor: of its interaction and channel, beside the code of the first proof. */
export const factorCodeOwner = (uid: string, channel: VerifiedAddress['type']): VerificationCodeOwner => ({
  uid: `${uid}/${channel}`,
  type: 'SignIn',
})

const DIGITS = 6 // spec/limits#codes
const CODES = 10 ** DIGITS
/** Numbers from here on would make the first codes likelier than the last. */
const FAIR = 2 ** 32 - (2 ** 32 % CODES)

/** Draws its own randomness, for the reason given at `randomId`. */
export function randomVerificationCode(): string {
  for (;;) {
    const [number = FAIR] = crypto.getRandomValues(new Uint32Array(1))
    if (number < FAIR) return String(number % CODES).padStart(DIGITS, '0')
  }
}

/**
 * A new code in place of its owner's earlier ones (spec/accounts#code-creation), also when it is for another address.
 * One batch, so that of twenty at the same time one stays. A batch that the database carries out late does nothing when
 * a newer code was made meanwhile (spec/storage#late-writes). False: there is a newer one, and this one opens nothing.
 */
export async function createVerificationCode(
  { db, seals }: CodeStore,
  tenantId: string,
  { owner, address, code, now, also }: CodeOf & { now: number; also?: Statement },
): Promise<boolean> {
  const id = randomId()
  const [codeDigest] = await digestsOf(seals, tenantId, { owner, address, code })
  // In the order of the table, which is the one in which drizzle names the columns of INSERT … SELECT.
  const row = {
    tenantId,
    id,
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
  const { created } = await sendTogether(db, {
    created: db
      .insert(passcodes)
      .select(
        sql`select ${sql.join(
          Object.values(row).map((value) => sql`${value}`),
          sql`, `,
        )}
          where not exists (select 1 from ${passcodes}
            where ${and(isOfOwner(tenantId, owner), gt(passcodes.createdAt, now))})`,
      )
      .returning({ id: passcodes.id }),
    earlier: db
      .delete(passcodes)
      .where(and(isUnused(tenantId, owner), lte(passcodes.createdAt, now), ne(passcodes.id, id))),
    also,
  })
  return created.length > 0
}

type CodeStore = { db: Database; seals: Seals }
type CodeOf = { owner: VerificationCodeOwner; address: VerifiedAddress; code: string }

/**
 * Bound to tenant, owner and address, so that a digest that is copied into another row opens nothing. With the digest
 * under the previous root secret, if there is one.
 */
const digestsOf = (seals: Seals, tenantId: string, { owner, address: { type, value }, code }: CodeOf) =>
  seals.digests(`code/${tenantId}`, [
    ...('uid' in owner ? [owner.uid, owner.type] : ['Generic']),
    type,
    value,
    code,
  ])

/** `digests`: of the code that is tried. */
export type VerificationCodeAttempt = CodeOf & { now: number; digests: readonly string[] }

/** Called before the statement is built, which cannot wait for it. */
export const verificationCodeAttempt = async (
  seals: Seals,
  tenantId: string,
  tried: Omit<VerificationCodeAttempt, 'digests'>,
): Promise<VerificationCodeAttempt> => ({ ...tried, digests: await digestsOf(seals, tenantId, tried) })

/** There is a valid code that an attempt could guess. */
export const isGuessable = (
  tenantId: string,
  { owner, address, now }: Omit<VerificationCodeAttempt, 'code' | 'digests'>,
): Condition =>
  sql`exists (select 1 from ${passcodes} where ${and(
    isUnused(tenantId, owner),
    eq(passcodes[address.type], address.value),
    gte(passcodes.createdAt, now - VERIFICATION_CODE_LIFETIME),
    lt(passcodes.tryCount, MAX_VERIFICATION_CODE_TRIES),
  )})`

/**
 * One attempt in one statement (spec/storage#conditional-statements): of many at the same time one is right, and ten are
 * counted. It answers the code as the attempt left it; `checkVerificationCode` interprets it. An attempt at a code that is used
 * up counts as the eleventh, which is how its answer differs from the tenth's. A code that was used or is used up is
 * cleared (spec/accounts#code-check).
 */
export function attemptVerificationCode(
  db: Database,
  tenantId: string,
  { owner, address, code, digests, now, condition }: VerificationCodeAttempt & { condition?: Condition },
) {
  const isForAddress = sql`${passcodes[address.type]} = ${address.value}`
  const isAlive = sql`${passcodes.createdAt} >= ${now - VERIFICATION_CODE_LIFETIME}`
  // The code itself: the Worker of an earlier version has stored it, in the last ten minutes.
  const isThis = sql`coalesce(${inArray(passcodes.codeDigest, [...digests])}, ${passcodes.code} = ${code})`
  const isRight = sql`${passcodes.tryCount} < ${MAX_VERIFICATION_CODE_TRIES} and ${isThis}`
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

/**
 * POST /verification-codes: makes a code that the caller then sends, with message type `Generic`; null when a newer one
 * was made at the same time.
 */
export async function createGenericCode(
  store: CodeStore,
  tenantId: string,
  address: VerifiedAddress,
  now: number,
): Promise<string | null> {
  const code = randomVerificationCode()
  const isNewest = await createVerificationCode(store, tenantId, {
    owner: { generic: address },
    address,
    code,
    now,
  })
  return isNewest ? code : null
}

/** POST /verification-codes/verify: null when the code was right, which uses it up; else `verification_code.*`. */
export async function verifyGenericCode(
  { db, seals }: CodeStore,
  tenantId: string,
  { address, code, now }: { address: VerifiedAddress; code: string; now: number },
): Promise<Refusal | null> {
  const tried = await verificationCodeAttempt(seals, tenantId, {
    owner: { generic: address },
    address,
    code,
    now,
  })
  const [attempted] = await attemptVerificationCode(db, tenantId, tried)
  return checkVerificationCode(attempted, address, now)
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

/** The exact address, found by the index, which is on the lower case of e-mail addresses. */
const isSentTo = ({ type, value }: VerifiedAddress) =>
  type === 'phone'
    ? eq(passcodes.phone, value)
    : and(sql`lower(${passcodes.email}) = lower(${value})`, eq(passcodes.email, value))
