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
 * Verification codes (spec/accounts#verification-code). A code belongs to an interaction and its event or, for generic
 * codes, to an address only. Each owner has at most one unused code. The database stores only its digest
 * (spec/storage#passcodes).
 */
export type VerificationCodeOwner = { uid: string; type: InteractionEvent } | { generic: VerifiedAddress }

/**
 * Returns the owner of a code that serves as second factor: its interaction and channel, apart from the code of the
 * first proof.
 */
export const factorCodeOwner = (uid: string, channel: VerifiedAddress['type']): VerificationCodeOwner => ({
  uid: `${uid}/${channel}`,
  type: 'SignIn',
})

const DIGITS = 6 // spec/limits#codes
const CODES = 10 ** DIGITS
/** Numbers from here on are rejected, because they would make low codes more likely than high ones. */
const FAIR = 2 ** 32 - (2 ** 32 % CODES)

/** Returns a random code. It draws its own randomness, for the reason given at `randomId`. */
export function randomVerificationCode(): string {
  for (;;) {
    const [number = FAIR] = crypto.getRandomValues(new Uint32Array(1))
    if (number < FAIR) return String(number % CODES).padStart(DIGITS, '0')
  }
}

/**
 * Creates a code that replaces its owner's earlier ones (spec/accounts#code-creation), even if it is for another
 * address. It is one batch, so that only one of twenty concurrent codes remains. A batch that the database carries out
 * late does nothing if a newer code was created meanwhile (spec/storage#late-writes). Returns false if there is a newer
 * code, in which case this one is not stored.
 */
export async function createVerificationCode(
  { db, seals }: CodeStore,
  tenantId: string,
  { owner, address, code, now, also }: CodeOf & { now: number; also?: Statement },
): Promise<boolean> {
  const id = randomId()
  const [codeDigest] = await digestsOf(seals, tenantId, { owner, address, code })
  // The values are in table order, in which drizzle lists the columns of INSERT … SELECT.
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
 * Returns the digests of a code. They are bound to tenant, owner and address, so that a digest copied into another row
 * is useless. There is a second one under the previous root secret, if that is set.
 */
const digestsOf = (seals: Seals, tenantId: string, { owner, address: { type, value }, code }: CodeOf) =>
  seals.digests(`code/${tenantId}`, [
    ...('uid' in owner ? [owner.uid, owner.type] : ['Generic']),
    type,
    value,
    code,
  ])

/** An attempt at a code; `digests` are those of the code that the user entered. */
export type VerificationCodeAttempt = CodeOf & { now: number; digests: readonly string[] }

/** Computes the digests of an attempt. Callers do so before they build the statement, which cannot wait for it. */
export const verificationCodeAttempt = async (
  seals: Seals,
  tenantId: string,
  attempt: Omit<VerificationCodeAttempt, 'digests'>,
): Promise<VerificationCodeAttempt> => ({ ...attempt, digests: await digestsOf(seals, tenantId, attempt) })

/** Checks whether there is a valid code that an attempt could guess. */
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
 * Tries a code in one statement (spec/storage#conditional-statements): of concurrent attempts only one succeeds, and at
 * most ten are counted. Returns the code as the attempt left it, which `checkVerificationCode` interprets. An attempt
 * after the last allowed one counts as the eleventh, so that its result differs from that of the tenth. A code that was
 * used or has no attempts left is cleared (spec/accounts#code-check).
 */
export function attemptVerificationCode(
  db: Database,
  tenantId: string,
  { owner, address, code, digests, now, condition }: VerificationCodeAttempt & { condition?: Condition },
) {
  const isForAddress = sql`${passcodes[address.type]} = ${address.value}`
  const isAlive = sql`${passcodes.createdAt} >= ${now - VERIFICATION_CODE_LIFETIME}`
  // `code` is only set on codes that a Worker of an earlier version stored in the last ten minutes.
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
 * Creates a code for POST /verification-codes, which the caller sends as a message of type `Generic`. Returns null if a
 * newer code was created at the same time.
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

/**
 * Checks a code for POST /verification-codes/verify. Returns null if it is right, which uses it up, or else a refusal
 * `verification_code.*`.
 */
export async function verifyGenericCode(
  { db, seals }: CodeStore,
  tenantId: string,
  { address, code, now }: { address: VerifiedAddress; code: string; now: number },
): Promise<Refusal | null> {
  const attempt = await verificationCodeAttempt(seals, tenantId, {
    owner: { generic: address },
    address,
    code,
    now,
  })
  const [codeRow] = await attemptVerificationCode(db, tenantId, attempt)
  return checkVerificationCode(codeRow, address, now)
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

/** Matches the exact address. The index that finds it contains e-mail addresses in lower case. */
const isSentTo = ({ type, value }: VerifiedAddress) =>
  type === 'phone'
    ? eq(passcodes.phone, value)
    : and(sql`lower(${passcodes.email}) = lower(${value})`, eq(passcodes.email, value))
