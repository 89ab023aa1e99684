import { expect } from 'vitest'
import { freshName } from '../kit/clients/cookie-client.ts'
import { startEcho } from './echo-server.ts'
import { beginInteraction, freshEmail, freshPassword, type RecordedRun } from './recorded-client.ts'

/** Makes external servers fail and echo their requests, and then makes the database fail. */
export async function failureScenes(walk: RecordedRun): Promise<void> {
  const { manage, make, secrets, server } = walk
  const echo = await startEcho()
  try {
    const bearer = freshPassword()
    const mail = { endpoint: `${echo.url}/send`, authentication: 'Bearer', secret: bearer }
    await make('/connectors', { connectorId: 'http-email', config: mail })
    const key = freshPassword()
    const hook = await make('/hooks', {
      event: 'PostRegister',
      config: { url: `${echo.url}/hook`, retries: 0, headers: { 'x-key': key } },
    })
    secrets.add('hook secret', hook.secret.slice('whsec_'.length))

    const interaction = await beginInteraction(walk)
    await interaction.call('PUT', '', { event: 'SignIn' })
    const sent = await interaction.call('POST', '/verification/verification-code', { email: freshEmail() })
    expect(sent.status).toBeGreaterThanOrEqual(400)
    for (const request of echo.requests) secrets.add('unsent code', /"code":"(\d+)"/.exec(request)?.[1])
    await interaction.call('PUT', '', {
      event: 'Register',
      profile: { username: freshName(), password: freshPassword() },
    })
    await interaction.enter()

    const faulty = `faulty_${freshName()}`
    server.query((database) =>
      database.exec(`create trigger forced_users before insert on users when new.username like 'faulty%'
        begin select raise(abort, 'forced failure of a statement'); end`),
    )
    const unlucky = await beginInteraction(walk)
    await unlucky.call('PUT', '', {
      event: 'Register',
      profile: { username: faulty, password: freshPassword() },
    })
    expect((await unlucky.call('POST', '/submit')).status).toBe(500)
    expect(
      (await manage('POST', '/users', { username: `${faulty}2`, password: freshPassword() })).status,
    ).toBe(500)

    server.query((database) =>
      database.exec(`create trigger forced_models before insert on oidc_model_instances
        when new.model_name = 'ClientCredentials' or new.model_name = 'RefreshToken'
        begin select raise(abort, 'forced failure of a statement'); end`),
    )
    await walk.token({ grant_type: 'client_credentials' }, ['management', server.managementSecret])
  } finally {
    echo.close()
  }
}

/** Triggers two scheduled runs, of which the second fails. */
export async function maintenanceScene({ server }: RecordedRun): Promise<void> {
  const run = () => fetch(`${server.origin}/cdn-cgi/local/scheduled`)
  expect((await run()).ok).toBe(true)
  server.query((database) =>
    database.exec(`insert into counters (tenant_id, key, count, window_start, expires_at) values ('default', 'old', 1, 0, 0);
      create trigger forced_counters before delete on counters
        begin select raise(abort, 'forced failure of a statement'); end`),
  )
  await run()
}
