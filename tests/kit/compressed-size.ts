import { brotliCompressSync, constants } from 'node:zlib'

/** The result is an upper bound: the strongest compression takes ten times as long to find that a page needs less. */
const QUALITY = 5

export const compressedSize = (html: string): number =>
  brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }).length
