/**
 * Reads what Cloudflare says about a Worker that is already deployed, and decides which database a deployment therefore
 * uses.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runProgram } from './processes.mjs'

/**
 * @typedef {{ name: string, type: string, text?: string, id?: string, database_id?: string }} Binding a variable, a
 *   secret or a store of a Worker
 */

/** Cloudflare's error codes for a Worker that does not exist. */
const NO_SUCH_WORKER = [10007, 10090]

/**
 * Returns the bindings of the live version, which are none if there is no Worker or no version yet. Returns null if
 * Cloudflare does not say: a deployment must not take a Worker that it cannot read for a missing one.
 *
 * @param {string[]} target the options that select the Worker
 * @param {Record<string, string>} env
 * @returns {Promise<Binding[] | null>}
 */
export async function readLiveBindings(target, env) {
  const status = await runForJson(['deployments', 'status'], target, env)
  if (status.code !== 0) return NO_SUCH_WORKER.includes(status.errorCode ?? 0) ? [] : null
  const version = status.json?.versions?.[0]?.version_id
  if (!version) return []
  const details = await runForJson(['versions', 'view', version], target, env)
  return details.code === 0 ? (details.json?.resources?.bindings ?? []) : null
}

/** Returns the value of a variable of the live version. @param {Binding[]} bindings @param {string} variable */
export const liveVariable = (bindings, variable) =>
  bindings.find(({ name, type }) => name === variable && type === 'plain_text')?.text || null

/** Checks whether the Worker has the secret of a libSQL server. @param {Binding[]} bindings */
export const usesLibsql = (bindings) => bindings.some(({ name }) => name === 'LIBSQL_URL')

/**
 * Returns the names of the variables and bindings that a deployment would remove, as it does if an overlay is missing.
 * Secrets stay in any case, and so does `HOSTS`.
 *
 * @param {Binding[]} live the bindings of the live version
 * @param {object} config the configuration of the deployment
 */
export function findRemovedBindings(live, config) {
  const configured = new Set(
    Object.values(config).flatMap((value) =>
      Array.isArray(value)
        ? value.map((entry) => entry?.binding ?? entry?.name)
        : typeof value === 'object' && value !== null
          ? [value.binding, ...Object.keys(value)]
          : [],
    ),
  )
  return live
    .filter(({ name, type }) => type !== 'secret_text' && name !== 'HOSTS' && !configured.has(name))
    .map(({ name }) => name)
}

/**
 * Decides which database a deployment migrates. It is always the one that the live version uses. Only without one is it
 * the database that the configuration names, which may have to be created.
 *
 * @param {object} facts
 * @param {Binding[]} facts.live the bindings of the live version
 * @param {{ uuid: string, name: string }[]} facts.databases the databases of the account
 * @param {{ binding: string, database_name?: string, database_id?: string } | undefined} facts.configured
 * @param {string} facts.binding the name of the binding
 * @returns {{ id: string } | { create: string } | { problem: string }}
 */
export function chooseDatabase({ live, databases, configured, binding }) {
  const { database_name: name, database_id: configuredId } = configured ?? {}
  const used = live.find((each) => each.name === binding && each.type === 'd1')
  const liveId = used?.id ?? used?.database_id
  if (usesLibsql(live))
    return {
      problem:
        'The live version uses a libSQL server. Set LIBSQL_URL and LIBSQL_AUTH_TOKEN in the environment, so that we can apply the migrations there.',
    }
  if (liveId && configuredId && liveId !== configuredId)
    return {
      problem: `The live version uses the database ${liveId}, but the configuration names ${configuredId}. Delete that database_id to keep the data.`,
    }
  if (!liveId && live.some(({ type }) => type !== 'secret_text'))
    return {
      problem: `The live version has no database with the binding ${binding}. Check the name of the Worker.`,
    }
  const id = liveId ?? configuredId
  if (id && !databases.some(({ uuid }) => uuid === id))
    return {
      problem: `The ${liveId ? 'live version' : 'configuration'} uses the database ${id}, which isn't among the databases of this Cloudflare account. Check the account.`,
    }
  if (id) return { id }
  if (!name) return { problem: `The configuration has no database_name for the binding ${binding}. Add one.` }
  const existing = databases.find((database) => database.name === name)
  return existing ? { id: existing.uuid } : { create: name }
}

/**
 * Runs a wrangler command that prints JSON. `errorCode` is the code of Cloudflare's error, which wrangler reports only
 * in the file that WRANGLER_OUTPUT_FILE_PATH names.
 *
 * @param {string[]} command
 * @param {string[]} target
 * @param {Record<string, string>} env
 */
async function runForJson(command, target, env) {
  const file = path.join(os.tmpdir(), `vestibule-wrangler-${randomUUID()}.ndjson`)
  try {
    const { code, stdout } = await runProgram('wrangler', [...command, '--json', ...target], {
      show: 'never',
      env: { ...env, WRANGLER_OUTPUT_FILE_PATH: file },
    })
    if (code === 0) return { code, json: JSON.parse(stdout.slice(stdout.indexOf('{'))) }
    const failure = readReports(file).find(({ type }) => type === 'command-failed')
    return { code, errorCode: typeof failure?.code === 'number' ? failure.code : undefined }
  } finally {
    rmSync(file, { force: true })
  }
}

/**
 * Reads the reports of a wrangler command, one JSON object per line.
 *
 * @param {string} file
 * @returns {{ type: string, code?: unknown, targets?: string[] }[]}
 */
export const readReports = (file) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : []
