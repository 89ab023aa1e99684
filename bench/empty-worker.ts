import { Hono } from 'hono'

/** What the start of the Worker is compared with. */
export default new Hono().get('/', (c) => c.text('empty'))
