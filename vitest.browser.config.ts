import { defineConfig } from 'vitest/config'

/** Journeys in a real Chromium, and real OpenID Connect clients, against a server started as a developer starts it. */
export default defineConfig({
  test: {
    name: 'browser',
    environment: 'node',
    include: ['tests/journeys/**/*.test.ts'],
    globalSetup: ['tests/journeys/started-server.ts'],
    // One server and two cores: journeys one after another are faster than side by side.
    fileParallelism: false,
    testTimeout: 60_000,
    // Two cores, a browser and a server: what fails twice is broken. At a developer's desk once is enough.
    retry: process.env.CI ? 1 : 0,
    hookTimeout: 60_000,
  },
})
