import { and, eq, gte, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Refusal } from '../contract/errors.ts'
import type { InteractionEvent } from '../contract/identifiers.ts'
import { type Address, PASSCODE_LIFETIME, PASSCODE_TRIES, refusesPasscode } from '../domain/passcodes.ts'
import type { Database } from './database.ts'
import { randomId } from './ids.ts'
import { passcodes } from './tables.ts'

/**
 * Verification codes (contract 3). A code belongs to an interaction and what is done there, or, for codes of the
 * management API, to an address alone. Of each owner there is at most one that was not used.
 */
export type PasscodeOwner = { uid: string; type: InteractionEvent } | { generic: Address }

const DIGITS = 6 // spec 9
const CODES = 10 ** DIGITS
/** Numbers from here on would make the first codes likelier than the last. */
const FAIR = 2 ** 32 - (2 ** 32 % CODES)

/** Draws its own randomness, like `randomId` and for its reason. */
export function randomPasscode(): string {
  for (;;) {
    const [number = FAIR] = crypto.getRandomValues(new Uint32Array(1))
    if (number < FAIR) return String(number % CODES).padStart(DIGITS, '0')
  }
}

/**
 * A new code in place of those its owner had (contract 3): a resend kills the one before, and so does asking for
 * another address. One batch, so that of twenty at the same time one stays.
 */
export async function createPasscode(
  db: Database,
  tenantId: string,
  { owner, address, code, now }: { owner: PasscodeOwner; address: Address; code: string; now: number },
): Promise<void> {
  await db.batch([
    db.delete(passcodes).where(isUnused(tenantId, owner)),
    db.insert(passcodes).values({
      tenantId,
      id: randomId(),
      interactionJti: 'uid' in owner ? owner.uid : null,
      type: 'uid' in owner ? owner.type : 'Generic',
      email: address.type === 'email' ? address.value : null,
      phone: address.type === 'phone' ? address.value : null,
      code,
      createdAt: now,
    }),
  ])
}

export type PasscodeTry = { owner: PasscodeOwner; address: Address; code: string; now: number }

/** As a condition: a try would be one at a living code, right or wrong. */
export const isGuessable = (tenantId: string, { owner, address, now }: Omit<PasscodeTry, 'code'>): SQL =>
  sql`exists (select 1 from ${passcodes} where ${and(
    isUnused(tenantId, owner),
    eq(passcodes[address.type], address.value),
    gte(passcodes.createdAt, now - PASSCODE_LIFETIME),
    lt(passcodes.tryCount, PASSCODE_TRIES),
  )})`

/**
 * One try, as one statement (design 4): of many at the same time one is right, and ten are counted. It answers the
 * code as the try left it; `refusesPasscode` says what that means. The try of a dead code counts as the eleventh,
 * which is how its answer differs from the tenth's. A code that was used or is dead is cleared.
 */
export function tryPasscode(
  db: Database,
  tenantId: string,
  { owner, address, code, now, condition }: PasscodeTry & { condition?: SQL },
) {
  const isForAddress = sql`${passcodes[address.type]} = ${address.value}`
  const isAlive = sql`${passcodes.createdAt} >= ${now - PASSCODE_LIFETIME}`
  const isRight = sql`${passcodes.tryCount} < ${PASSCODE_TRIES} and ${passcodes.code} = ${code}`
  const byOutcome = (outcomes: { right: SQL; wrong: SQL; expired: SQL; foreign: SQL }) => sql`case
    when not coalesce(${isForAddress}, 0) then ${outcomes.foreign}
    when not (${isAlive}) then ${outcomes.expired}
    when coalesce(${isRight}, 0) then ${outcomes.right}
    else ${outcomes.wrong} end`

  const { tryCount, code: stored } = passcodes
  return db
    .update(passcodes)
    .set({
      consumed: byOutcome({ right: sql`1`, wrong: sql`0`, expired: sql`0`, foreign: sql`0` }),
      tryCount: byOutcome({
        right: sql`${tryCount}`,
        wrong: sql`min(${tryCount} + 1, ${PASSCODE_TRIES + 1})`,
        expired: sql`${tryCount}`,
        foreign: sql`${tryCount}`,
      }),
      code: byOutcome({
        right: sql`null`,
        wrong: sql`case when ${tryCount} + 1 < ${PASSCODE_TRIES} then ${stored} end`,
        expired: sql`null`,
        foreign: sql`${stored}`,
      }),
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

/** POST /verification-codes: makes a code that the caller then sends, with message type `Generic`. */
export async function createGenericCode(
  db: Database,
  tenantId: string,
  address: Address,
  now: number,
): Promise<string> {
  const code = randomPasscode()
  await createPasscode(db, tenantId, { owner: { generic: address }, address, code, now })
  return code
}

/** POST /verification-codes/verify: null when the code was right, which uses it up; else `verification_code.*`. */
export async function verifyGenericCode(
  db: Database,
  tenantId: string,
  { address, code, now }: Omit<PasscodeTry, 'owner'>,
): Promise<Refusal | null> {
  const [tried] = await tryPasscode(db, tenantId, { owner: { generic: address }, address, code, now })
  return refusesPasscode(tried, address, now)
}

function isUnused(tenantId: string, owner: PasscodeOwner): SQL | undefined {
  const isOwned =
    'uid' in owner
      ? and(eq(passcodes.interactionJti, owner.uid), eq(passcodes.type, owner.type))
      : and(isNull(passcodes.interactionJti), eq(passcodes.type, 'Generic'), isSentTo(owner.generic))
  return and(eq(passcodes.tenantId, tenantId), isOwned, eq(passcodes.consumed, false))
}

/** Exactly, and by index: the one of e-mail addresses is on their lower case. */
const isSentTo = ({ type, value }: Address) =>
  type === 'phone'
    ? eq(passcodes.phone, value)
    : and(sql`lower(${passcodes.email}) = lower(${value})`, eq(passcodes.email, value))
