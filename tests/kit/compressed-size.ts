import { brotliCompressSync, constants } from 'node:zlib'

/**
 * A medium quality, which gives an upper bound of the size. The best quality compresses better but takes ten
 * times as long.
 */
const QUALITY = 5

export const compressedSize = (html: string): number =>
  brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }).length
