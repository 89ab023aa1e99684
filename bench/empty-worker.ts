import { Hono } from 'hono'

/** An empty Worker, the baseline for the start-up time of ours. */
export default new Hono().get('/', (c) => c.text('empty'))
