import type { TestProject } from 'vitest/node'
import { trustCertificate } from '../../kit/certificate.ts'
import { startUpstream } from './upstream.ts'

declare module 'vitest' {
  interface ProvidedContext {
    upstream: { openid: string; oauth: string }
  }
}

/** Starts the servers for tests in the Workers runtime, which cannot start a server themselves. */
export default async function setup(project: TestProject) {
  trustCertificate()
  const { openid, oauth, close } = await startUpstream()
  project.provide('upstream', { openid, oauth })
  return close
}
