import { defineConfig } from 'vitest/config'
import { certificateFile } from './tests/kit/certificate.ts'

// This is read when Miniflare is loaded. It makes the Worker trust the certificate of the providers that the journeys
// start.
// Package managers that tests start use the original certificates.
process.env.REGISTRY_CA_CERTS ??= process.env.NODE_EXTRA_CA_CERTS ?? ''
process.env.NODE_EXTRA_CA_CERTS = certificateFile

/** Journeys in Chromium and with OpenID Connect clients, against a running server (docs/development/testing.md). */
export default defineConfig({
  test: {
    name: 'browser',
    environment: 'node',
    include: ['tests/journeys/**/*.test.ts'],
    globalSetup: ['tests/journeys/hostile-server.ts'],
    setupFiles: ['tests/journeys/test-hosts.ts'],
    // Each file has its own tenants, so files run side by side. The files of one worker share a Chromium.
    maxWorkers: 2,
    isolate: false,
    testTimeout: 60_000,
    // The default of one second is too short for a page on a busy machine.
    expect: { poll: { interval: 25, timeout: 30_000 } },
    hookTimeout: 60_000,
  },
})
