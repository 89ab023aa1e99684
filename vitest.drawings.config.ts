import { defineConfig } from 'vitest/config'
import browser from './vitest.browser.config.ts'

/** `npm run screens -- docs`: the pictures and the table of docs/design.md and docs/theming.md. */
export default defineConfig({
  test: { ...browser.test, name: 'drawings', include: ['tests/drawings/*.draw.ts'] },
})
