import type { BenchRow } from '../row.ts'
import { type Chromium, withChromium } from './chromium.ts'
import { arriveAt, countRow, inFreshContext, pageFigures, plainRow, weightFigures } from './page-figures.ts'
import {
  type BenchAccount,
  newAuthorization,
  registerInBrowser,
  type SavedBrowser,
  signInAtDemo,
  signInAtServer,
} from './sign-in.ts'
import { CAREFUL } from './slow-visit.ts'
import { type Exchange, kilobytes, totalBytes } from './traffic.ts'
import { describeWeight, firstVisit } from './weight.ts'

/** Measures how long a browser waits and how much it downloads (spec/budgets#first-response). */
export async function browserRows({ origin }: { origin: string }, pace = CAREFUL): Promise<BenchRow[]> {
  return withChromium(async (chromium) => {
    const [account, passwordPage] = await newAccount(chromium, origin)
    return [
      ...(await pageFigures(chromium, { name: '/sign-in', url: newAuthorization(origin).url, pace })),
      ...(await firstVisits(chromium, origin, passwordPage)),
      ...(await signIns(chromium, origin, account)),
    ]
  })
}

/**
 * Measures only the counts that a test compares: those of the first page and of cold sign-ins to a server-side
 * application.
 */
export async function countedRows({ origin }: { origin: string }): Promise<BenchRow[]> {
  return withChromium(async (chromium) => {
    const [account] = await newAccount(chromium, origin)
    const signIn = (javaScriptEnabled: boolean) =>
      inTurns(chromium, { javaScriptEnabled, turns: 1 }, (context) =>
        signInAtServer(context, origin, account),
      )
    const [scripted, plain] = [await signIn(true), await signIn(false)]
    return [
      ...(await weightFigures(chromium, { name: '/sign-in', url: newAuthorization(origin).url })),
      plainRow('the same without JavaScript, cold', summed(plain[0]?.all ?? [])),
      ...decisiveRows(scripted[0], plain[0]),
    ]
  })
}

const newAccount = (chromium: Chromium, origin: string) =>
  inFreshContext(chromium, (context) => registerInBrowser(context, origin))

/** Measures the pages of another server, given a URL that leads to its sign-in page. */
export async function peerRows(url: string, pace = CAREFUL): Promise<BenchRow[]> {
  return withChromium((chromium) => pageFigures(chromium, { name: new URL(url).host, url: url, pace }))
}

/** Measures first visits to the pages of a new tenant. */
async function firstVisits(
  chromium: Chromium,
  origin: string,
  passwordPage: SavedBrowser,
): Promise<BenchRow[]> {
  const registration = await inFreshContext(chromium, (context) =>
    arriveAt(context, newAuthorization(origin, { interaction_mode: 'signUp' }).url),
  )
  const rows: BenchRow[] = []
  for (const spot of [registration, passwordPage]) {
    const exchanges = await inFreshContext(chromium, (context) => firstVisit(context, spot.url), spot)
    rows.push(plainRow(`${new URL(spot.url).pathname}: first visit`, describeWeight(exchanges)))
  }
  for (const path of ['/unknown-session', '/demo-app']) {
    const exchanges = await inFreshContext(chromium, (context) => firstVisit(context, origin + path))
    rows.push(plainRow(`${path}: first visit`, describeWeight(exchanges)))
  }
  return rows
}

async function signIns(chromium: Chromium, origin: string, account: BenchAccount): Promise<BenchRow[]> {
  const demo = await twice(chromium, true, (context) => signInAtDemo(context, origin, account))
  const scripted = await twice(chromium, true, (context) => signInAtServer(context, origin, account))
  const plain = await twice(chromium, false, (context) => signInAtServer(context, origin, account))
  return [
    plainRow('click to tokens, demo application in the browser, cold', summed(demo.cold)),
    plainRow('click to tokens, demo application in the browser, warm', summed(demo.warm)),
    plainRow('sign-in to tokens, application on a server, cold', summed(scripted.cold.all)),
    plainRow('sign-in to tokens, application on a server, warm', summed(scripted.warm.all)),
    plainRow('the same without JavaScript, cold', summed(plain.cold.all)),
    plainRow('the same without JavaScript, warm', summed(plain.warm.all)),
    ...decisiveRows(scripted.cold, plain.cold),
  ]
}

type ServerSignIn = Awaited<ReturnType<typeof signInAtServer>>

const decisiveRows = (scripted: ServerSignIn | undefined, plain: ServerSignIn | undefined) => [
  countRow('requests from password to code, with JavaScript', {
    measured: scripted?.decisive.length ?? Number.NaN,
    goal: 2,
  }),
  countRow('requests from password to code, without', {
    measured: plain?.decisive.length ?? Number.NaN,
    goal: 1,
  }),
]

/** Runs the function in a new browser context, then again in the same context. */
async function twice<Result>(
  chromium: Chromium,
  javaScriptEnabled: boolean,
  work: (context: Awaited<ReturnType<Chromium['fresh']>>) => Promise<Result>,
): Promise<{ cold: Result; warm: Result }> {
  const [cold, warm] = await inTurns(chromium, { javaScriptEnabled, turns: 2 }, work)
  return { cold: cold as Result, warm: warm as Result }
}

async function inTurns<Result>(
  chromium: Chromium,
  { javaScriptEnabled, turns }: { javaScriptEnabled: boolean; turns: number },
  work: (context: Awaited<ReturnType<Chromium['fresh']>>) => Promise<Result>,
): Promise<Result[]> {
  const context = await chromium.fresh({ javaScriptEnabled })
  try {
    const results: Result[] = []
    while (results.length < turns) results.push(await work(context))
    return results
  } finally {
    await context.close()
  }
}

function summed(exchanges: readonly Exchange[]): string {
  const files = exchanges.filter(({ url }) => /\.\w+$/.test(new URL(url).pathname))
  const size = kilobytes(totalBytes(exchanges.map(({ bytes }) => bytes)))
  return `${exchanges.length} requests, ${files.length} of them for files; ${size}`
}
