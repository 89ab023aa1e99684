/** The beginning of a body. `isWhole` is false when there was more, which is then not read. */
type BoundedBody = { content: Blob; isWhole: boolean }

/** Reads at most so many bytes of a request or a response: its length is what the sender says, if it says one. */
export async function readBoundedBody(
  body: ReadableStream<Uint8Array> | null,
  mostBytes: number,
): Promise<BoundedBody> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const reader = body?.getReader()
  for (let left = mostBytes; ; ) {
    const part = await reader?.read()
    if (!part || part.done) return { content: new Blob(parts), isWhole: true }
    parts.push(new Uint8Array(part.value.subarray(0, left)))
    left -= part.value.byteLength
    if (left < 0) {
      await reader?.cancel()
      return { content: new Blob(parts), isWhole: false }
    }
  }
}
