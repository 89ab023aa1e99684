import { expect, it } from 'vitest'
import { readBoundedBody } from '../../src/outbound/bounded-body.ts'

/**
 * Returns a body that arrives in chunks, and a record of how many chunks were read and whether the rest was
 * cancelled.
 */
function bodyOf(...pieces: string[]) {
  const state = { sent: 0, isCancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[state.sent++]
        if (piece === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(piece))
      },
      cancel: () => {
        state.isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { body, state }
}

it.each([
  { pieces: [], text: '', isWhole: true },
  { pieces: ['abc'], text: 'abc', isWhole: true },
  { pieces: ['ab', 'cd', 'e'], text: 'abcde', isWhole: true },
  { pieces: ['abcdef'], text: 'abcde', isWhole: false },
  { pieces: ['ab', 'cdef'], text: 'abcde', isWhole: false },
  { pieces: ['abcde', 'f'], text: 'abcde', isWhole: false },
  { pieces: ['ab', '', 'cd'], text: 'abcd', isWhole: true },
])(
  'readBoundedBody, with a limit of five bytes, returns "$text" for the chunks $pieces',
  async ({ pieces, text, isWhole }) => {
    const { body, state } = bodyOf(...pieces)
    const result = await readBoundedBody(body, 5)
    expect({ text: await result.content.text(), isWhole: result.isWhole }).toEqual({ text, isWhole })
    expect(state.isCancelled).toBe(!isWhole)
  },
)

it('readBoundedBody stops reading once the limit is exceeded', async () => {
  const { body, state } = bodyOf('abcdef', 'g', 'h')
  await readBoundedBody(body, 5)
  expect(state.sent).toBe(1)
})

it('readBoundedBody treats an absent body as an empty one', async () => {
  expect(await readBoundedBody(null, 5)).toMatchObject({ isWhole: true, content: { size: 0 } })
})
