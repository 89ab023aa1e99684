/** Base64url without padding (RFC 4648 §5), of bytes or of the UTF-8 of a text. By `Buffer`, which Node has as well as Workers. */
export const toBase64Url = (data: string | Uint8Array): string => Buffer.from(data).toString('base64url')
