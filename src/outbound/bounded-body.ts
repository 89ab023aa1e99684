/** The beginning of a body. `isWhole` is false if the rest has not been read. */
type BoundedBody = { content: Blob; isWhole: boolean }

/** Reads at most `maxBytes` of a body. Ignores `Content-Length`, because it may be missing or wrong. */
export async function readBoundedBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<BoundedBody> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const reader = body?.getReader()
  for (let remainingBytes = maxBytes; ; ) {
    const part = await reader?.read()
    if (!part || part.done) return { content: new Blob(parts), isWhole: true }
    parts.push(new Uint8Array(part.value.subarray(0, remainingBytes)))
    remainingBytes -= part.value.byteLength
    if (remainingBytes < 0) {
      await reader?.cancel()
      return { content: new Blob(parts), isWhole: false }
    }
  }
}
