import { expect, it } from 'vitest'
import { signInAtTerminal } from '../../../scripts/device.mjs'
import { answerDevice, newDeviceApplication } from '../../kit/clients/device-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp } from '../../kit/test-app.ts'

it('the demonstration in README.md signs a user in from a terminal', async () => {
  const app = openTestApp()
  const television = await newDeviceApplication(await newOperator(app))
  const { client, username } = await storeVisitor(app)
  const lines: string[] = []
  let approval: Promise<Response> | undefined
  await signInAtTerminal(app.origin, television, {
    write(line) {
      lines.push(line)
      const [, code] = /and enter ([A-Z-]+)$/.exec(line) ?? []
      if (code) approval = answerDevice(client, code, 'allow')
    },
    async fetch(address, init) {
      await approval
      const response = await app.fetch(address, init as RequestInit)
      if (!address.endsWith('/device/auth')) return response
      // Shorten the polling interval of five seconds, so the test does not have to wait.
      return Response.json({ ...((await response.json()) as object), interval: 1 })
    },
  })
  expect(lines).toEqual([
    expect.stringMatching(/^█+\n█+\n*/),
    expect.stringMatching(/^Open http:\/\/localhost:8787\/device and enter [A-Z]{4}-[A-Z]{4}$/),
    `Signed in as ${username}`,
  ])
})
