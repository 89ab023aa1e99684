import { defineConfig } from 'vitest/config'
import browser from './vitest.browser.config.ts'

/** The pictures and the table of docs/development/design.md and docs/guides/theming.md, and those of the console that `npm run screens` draws. */
export default defineConfig({
  test: { ...browser.test, name: 'drawings', include: ['tests/drawings/*.draw.ts'] },
})
