import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { startBuckets } from './bucket-server.ts'
import { startMailServers } from './messages/mail-servers.ts'
import { closeServer, startProviders } from './provider-server.ts'
import { startRanges } from './range-server.ts'
import { type SocialStubs, startSocialProviders } from './social/social-server.ts'

/** The servers that connectors call in tests, all on the loopback interface. */
export type StubServers = {
  providers: string
  buckets: string
  /** The URL that returns the accepted emails as JSON. */
  mails: string
  mailPorts: Record<string, number>
  social: SocialStubs
  /** The URL of the service that lists breached passwords. */
  ranges: string
}

declare module 'vitest' {
  interface ProvidedContext {
    stubs: StubServers
  }
}

export default async function setup(project: TestProject) {
  const providers = await startProviders()
  const { close: closeSocial, ...social } = await startSocialProviders()
  const buckets = await startBuckets()
  const mail = await startMailServers()
  const ranges = await startRanges()
  const mails = createServer((_request, response) => response.end(JSON.stringify(mail.accepted)))
  await new Promise<void>((resolve) => mails.listen(0, '127.0.0.1', resolve))
  const address = mails.address()
  if (!address || typeof address !== 'object') throw new Error('no port')

  project.provide('stubs', {
    providers: providers.url,
    buckets: buckets.url,
    mails: `http://127.0.0.1:${address.port}`,
    mailPorts: mail.ports,
    social,
    ranges: ranges.url,
  })
  return () => {
    providers.close()
    closeSocial()
    buckets.close()
    mail.close()
    ranges.close()
    closeServer(mails)
  }
}
