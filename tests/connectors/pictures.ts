/** The smallest file of each type that its first bytes identify. */
export const pictures = {
  'image/png': bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  'image/jpeg': bytes('\xff\xd8\xff\xe0\0\x10JFIF\0'),
  'image/gif': bytes('GIF89a\x01\0\x01\0\0\0\0;'),
  'image/webp': bytes('RIFF\x1a\0\0\0WEBPVP8L'),
  'image/tiff': bytes('II*\0\x08\0\0\0'),
  'image/vnd.microsoft.icon': bytes('\0\0\x01\0\x01\0\x10\x10\0\0'),
  'image/bmp': bytes('BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0'),
  'image/svg+xml': bytes('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1z"/></svg>'),
} as const

export function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (char) => char.charCodeAt(0))
}
