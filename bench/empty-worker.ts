import { Hono } from 'hono'

/** An empty Worker, with which the start-up of ours is compared. */
export default new Hono().get('/', (c) => c.text('empty'))
