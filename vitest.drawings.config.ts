import { defineConfig } from 'vitest/config'
import browser from './vitest.browser.config.ts'

/**
 * Draws the pictures and the table of docs/development/design.md and docs/guides/theming.md, and the console pages for `npm run screens`.
 */
export default defineConfig({
  test: { ...browser.test, name: 'drawings', include: ['tests/drawings/*.draw.ts'] },
})
