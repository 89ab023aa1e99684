/** The length of ids in most tables (spec/storage#ids). */
export const ID_LENGTH = 21
export const USER_ID_LENGTH = 12

export const ID_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
