import type { Adapter, AdapterPayload } from 'oidc-provider'

type Row = { payload: AdapterPayload; endsAt: number }

/** Stores the data of one test provider in memory, because the library's own store logs a warning. */
export function openUpstreamStore(): (model: string) => Adapter {
  const rows = new Map<string, Row>()

  return (model) => {
    const keyOf = (id: string) => `${model}:${id}`
    const living = (row: Row | undefined) =>
      row !== undefined && row.endsAt > Date.now() ? row.payload : undefined
    const having = (name: 'uid' | 'userCode' | 'grantId', value: string) =>
      [...rows].filter(([key, { payload }]) => key.startsWith(keyOf('')) && payload[name] === value)

    return {
      async upsert(id, payload, expiresIn = Number.POSITIVE_INFINITY) {
        rows.set(keyOf(id), { payload, endsAt: Date.now() + expiresIn * 1000 })
      },
      find: async (id) => living(rows.get(keyOf(id))),
      findByUid: async (uid) => living(having('uid', uid)[0]?.[1]),
      findByUserCode: async (userCode) => living(having('userCode', userCode)[0]?.[1]),
      async consume(id) {
        const row = rows.get(keyOf(id))
        if (row) row.payload.consumed = Math.floor(Date.now() / 1000)
      },
      async destroy(id) {
        rows.delete(keyOf(id))
      },
      async revokeByGrantId(grantId) {
        for (const [key] of having('grantId', grantId)) rows.delete(key)
      },
    }
  }
}
