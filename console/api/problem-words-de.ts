/**
 * German translations of the server's messages about individual values. `tests/console/console-problems.test.ts` fails
 * if one is missing.
 */
export const germanProblems: Readonly<Record<string, string>> = {
  'must have only letters, digits and _ and must not begin with a digit':
    'darf nur Buchstaben, Ziffern und _ enthalten und nicht mit einer Ziffer beginnen',
  'must be a phone number with its country code, such as 4915112345678':
    'muss eine Telefonnummer mit Ländervorwahl sein, zum Beispiel 4915112345678',
  'must consist of 1 to 21 lowercase letters, digits or - and not begin or end with -':
    'muss aus 1 bis 21 Kleinbuchstaben, Ziffern oder - bestehen und darf nicht mit - beginnen oder enden',
  'must consist of 1 to 32 letters, digits, - or _':
    'muss aus 1 bis 32 Buchstaben, Ziffern, - oder _ bestehen',
  'must consist of 1 to 128 letters, digits, - or _':
    'muss aus 1 bis 128 Buchstaben, Ziffern, - oder _ bestehen',
  'must consist of letters, digits, - or _': 'muss aus Buchstaben, Ziffern, - oder _ bestehen',
  'must consist of visible ASCII characters': 'muss aus sichtbaren ASCII-Zeichen bestehen',
  'must consist of printable ASCII characters': 'muss aus druckbaren ASCII-Zeichen bestehen',
  'must consist of 64 hexadecimal digits': 'muss aus 64 hexadezimalen Ziffern bestehen',
  'must have only letters, digits, _, - and . and begin with a letter, a digit, _ or $':
    'darf nur Buchstaben, Ziffern, _, - und . enthalten und muss mit einem Buchstaben, einer Ziffer, _ oder $ beginnen',
  'must be a domain such as example.com': 'muss eine Domain wie example.com sein',
  'must be a country code of two capital letters such as DE':
    'muss ein Ländercode aus zwei Großbuchstaben wie DE sein',
  'must be a network such as 203.0.113.0/24 or 2001:db8::/32':
    'muss ein Netz wie 203.0.113.0/24 oder 2001:db8::/32 sein',
  'must be a color such as #5d34f2': 'muss eine Farbe wie #5d34f2 sein',
  'must be a URL or the path of a file of this server':
    'muss eine URL oder der Pfad einer Datei dieses Servers sein',
  'is not a domain name': 'ist kein Domainname',
  'has no method that the tenant offers': 'enthält keine Art der Anmeldung, die der Mandant anbietet',
  'is not possible, because the tenant accepts no second factor':
    'ist nicht möglich, weil der Mandant keinen zweiten Faktor akzeptiert',
  'is not the name of a header': 'ist kein Name eines Headers',
  'contains characters that a header cannot have': 'enthält Zeichen, die ein Header nicht enthalten kann',
  'has too many headers': 'hat zu viele Header',
  'belongs to a built-in application': 'gehört zu einer eingebauten Anwendung',
  'belongs to another connector': 'gehört zu einem anderen Konnektor',
  'belongs to another resource': 'gehört zu einer anderen API',
  'cannot be combined with jwks': 'lässt sich nicht mit jwks kombinieren',
  'cannot be combined with passwordDigest': 'lässt sich nicht mit passwordDigest kombinieren',
  'cannot be required of users who may not edit the field':
    'kann nicht von Benutzern verlangt werden, die das Feld nicht ändern dürfen',
  'cannot be stored': 'lässt sich nicht speichern',
  'contains characters that a scope cannot have': 'enthält Zeichen, die ein Scope nicht enthalten kann',
  'must be a machine application': 'muss eine Maschinenanwendung sein',
  'is a reserved id': 'ist eine reservierte ID',
  'contains characters that are not allowed in a URL': 'enthält Zeichen, die in einer URL nicht vorkommen',
  'contains characters that cannot be stored': 'enthält Zeichen, die sich nicht speichern lassen',
  'contains the same key twice': 'enthält einen Schlüssel zweimal',
  'contains the same value twice': 'enthält einen Wert zweimal',
  'has an invalid BlobEndpoint': 'hat einen ungültigen BlobEndpoint',
  'has a key of an unsupported type, curve or length':
    'hat einen Schlüssel, dessen Typ, Kurve oder Länge nicht unterstützt wird',
  'has a key that is not an object': 'hat einen Schlüssel, der kein Objekt ist',
  'has a kid that is not a string': 'hat eine kid, die kein Text ist',
  'has a minimum above its maximum': 'hat ein Minimum über dem Maximum',
  'has an invalid AccountName': 'hat einen ungültigen AccountName',
  'has no counterpart: the tenant has no passkey domain':
    'hat keine Entsprechung: Der Mandant hat keine Domain für Passkeys',
  'has no entry for en': 'hat keinen Eintrag „en“',
  'has no signing key': 'hat keinen Signaturschlüssel',
  'has two keys with the same kid': 'hat zwei Schlüssel mit derselben kid',
  'is a built-in resource, which belongs in `allowedBuiltInResources`':
    'ist eine eingebaute API, die in `allowedBuiltInResources` gehört',
  'is empty': 'ist leer',
  'is reserved, because tokens have a claim of this name already':
    'ist reserviert, weil Token schon einen Claim dieses Namens haben',
  'is not a JSON value': 'ist kein JSON-Wert',
  'must have at most 2,048 bytes as JSON': 'darf als JSON höchstens 2.048 Byte haben',
  'must have a name of 1 to 64 visible characters without white space, and no name that objects inherit':
    'braucht einen Namen aus 1 bis 64 sichtbaren Zeichen ohne Leerzeichen, den Objekte nicht schon erben',
  'must not be nested more than 5 levels deep': 'darf höchstens 5 Ebenen tief verschachtelt sein',
  'contains a number that JSON programs cannot represent exactly':
    'enthält eine Zahl, die JSON-Programme nicht genau darstellen können',
  'contains a property with a name that objects inherit':
    'enthält eine Eigenschaft, deren Namen Objekte schon erben',
  'has a path of more than 8 parts': 'hat einen Pfad mit mehr als 8 Teilen',
  'has a path with a part that is empty, too long or contains white space':
    'hat einen Pfad mit einem Teil, der leer oder zu lang ist oder Leerzeichen enthält',
  'has a path that begins with none of $.username, $.name, $.primaryEmail, $.primaryPhone, $.avatar, $.profile, $.customData, $.roles and $.scopes':
    'hat einen Pfad, der mit keinem von $.username, $.name, $.primaryEmail, $.primaryPhone, $.avatar, $.profile, $.customData, $.roles und $.scopes beginnt',
  'has a path that names no value below its first part':
    'hat einen Pfad, der unter seinem ersten Teil keinen Wert benennt',
  'must not be empty for an application of this type': 'darf bei einer Anwendung dieses Typs nicht leer sein',
  'is required with a password': 'wird mit einem Passwort benötigt',
  'is required with a user name': 'wird mit einem Benutzernamen benötigt',
  'is required for this authentication': 'wird für diese Authentifizierung benötigt',
  'is required, unless all endpoints, jwksUri and the issuer of the ID tokens are set':
    'wird benötigt, außer wenn alle Endpunkte, jwksUri und der Issuer der ID-Tokens angegeben sind',
  'is required without emailAddressIdentityArn': 'wird ohne emailAddressIdentityArn benötigt',
  'is not an administrator role': 'ist keine Rolle für Administratoren',
  'is not YYYY, YYYY-MM-DD or 0000-MM-DD': 'ist nicht JJJJ, JJJJ-MM-TT oder 0000-MM-TT',
  'is not YYYY-MM-DD': 'ist nicht JJJJ-MM-TT',
  'is not a BCP 47 language tag': 'ist kein Sprachkürzel nach BCP 47',
  'is not a known language tag': 'ist kein bekanntes Sprachkürzel',
  'is not a COSE key for ES256, RS256 or Ed25519': 'ist kein COSE-Schlüssel für ES256, RS256 oder Ed25519',
  'is not a URL': 'ist keine URL',
  'is not a UUID': 'ist keine UUID',
  'is not a key set': 'ist keine Schlüsselmenge (JWKS)',
  'is not an absolute URI without a fragment': 'ist keine absolute URI ohne Fragment',
  'is not an email address': 'ist keine E-Mail-Adresse',
  'is not an https address or an address of this server':
    'ist weder eine https-Adresse noch eine Adresse dieses Servers',
  'is not an https origin': 'ist kein Origin mit https',
  'is not an international phone number (E.164)': 'ist keine internationale Telefonnummer (E.164)',
  'is not an object of texts or nested objects of texts':
    'ist kein Objekt aus Texten oder verschachtelten Objekten mit Texten',
  'is not an origin': 'ist kein Origin (Schema, Host, vielleicht Port)',
  'is not base64url': 'ist nicht base64url',
  'is not one line of plain text': 'ist keine einzelne Zeile einfacher Text',
  'is not part of FAPI 2.0': 'gehört nicht zu FAPI 2.0',
  'is not the domain of a host that only this tenant has':
    'ist nicht die Domain eines Hosts, den nur dieser Mandant hat',
  'is not the id of the tenant': 'ist nicht die ID des Mandanten',
  'is not the name of an IANA time zone': 'ist nicht der Name einer Zeitzone der IANA',
  'is only for applications of type Traditional or MachineToMachine':
    'gilt nur für Anwendungen vom Typ Traditional oder MachineToMachine',
  'is only for applications with users': 'gilt nur für Anwendungen mit Benutzern',
  'is only for confidential applications': 'gilt nur für vertrauliche Anwendungen (confidential)',
  'is repeated': 'kommt mehrfach vor',
  'is required': 'wird benötigt',
  'is required by FAPI 2.0': 'wird von FAPI 2.0 verlangt',
  'is required if passkeys are enabled': 'wird benötigt, wenn Passkeys eingeschaltet sind',
  'is reserved': 'ist reserviert',
  'is too large': 'ist zu groß',
  'may use http only on a loopback address': 'darf http nur mit einer Loopback-Adresse benutzen',
  'may use http only on a loopback address, because the application belongs to a third party':
    'darf http nur mit einer Loopback-Adresse benutzen, weil die Anwendung einem Dritten gehört',
  'must be a URL': 'muss eine URL sein',
  'must be an http or https URL': 'muss eine URL mit http oder https sein',
  'must be a private key in PEM format': 'muss ein privater Schlüssel im Format PEM sein',
  'must be an address': 'muss eine Adresse sein',
  'must be at most 1209600 (14 days) for an application of type SPA':
    'darf bei einer Anwendung des Typs SPA höchstens 1209600 (14 Tage) sein',
  'must be common, organizations, consumers or the ID of a tenant':
    'muss common, organizations, consumers oder die ID eines Mandanten sein',
  'must be empty for third-party applications': 'muss bei Anwendungen von Dritten leer sein',
  'must be entered again, because the stored value has changed':
    'muss noch einmal eingegeben werden, weil sich der gespeicherte Wert geändert hat',
  'must be entered again, because it would be sent to another server':
    'muss noch einmal eingegeben werden, weil es an einen anderen Server gesendet würde',
  'must be http or https for an application of this type':
    'muss bei einer Anwendung dieses Typs http oder https sein',
  'must be http, https or a custom scheme with a dot':
    'muss http, https oder ein eigenes Schema mit einem Punkt sein',
  'must be true for applications that registered themselves':
    'muss bei selbst registrierten Anwendungen gesetzt sein',
  'must be utf8': 'muss utf8 sein',
  'must consist of 1 to 12 letters or digits': 'muss aus 1 bis 12 Buchstaben oder Ziffern bestehen',
  'must consist of 1 to 21 letters, digits, - or _':
    'muss aus 1 bis 21 Buchstaben, Ziffern, - oder _ bestehen',
  'must consist of 1 to 64 letters, digits, - or _ and start with a letter':
    'muss aus 1 bis 64 Buchstaben, Ziffern, - oder _ bestehen und mit einem Buchstaben beginnen',
  'must contain AccountName and AccountKey': 'muss AccountName und AccountKey enthalten',
  'must not be shorter than refreshTokenTtl': 'darf nicht kürzer als refreshTokenTtl sein',
  'must not contain a private or shared key': 'darf keinen privaten oder gemeinsamen Schlüssel enthalten',
  'must not contain a user name or a password': 'darf keinen Benutzernamen und kein Passwort enthalten',
  'must not have a fragment': 'darf kein Fragment haben',
  'must not have a query or a fragment': 'darf weder Query noch Fragment haben',
  'is on a private network, which the setting allowPrivateTargets has to allow':
    'Diese Adresse liegt in einem privaten Netz. Erlauben Sie solche Adressen unter Einstellungen > Adressen und Dateien.',
  'is an http URL, which the setting allowPrivateTargets has to allow':
    'Diese Adresse benutzt unverschlüsseltes http. Erlauben Sie solche Adressen unter Einstellungen > Adressen und Dateien.',
  'must be the first of events': 'muss das erste der Ereignisse in events sein',
  'must not lead to a private address': 'darf nicht zu einer privaten Adresse führen',
  'must not lead to the port of another service': 'darf nicht zum Port eines anderen Dienstes führen',
  'must not use https on a loopback address': 'darf mit einer Loopback-Adresse nicht https benutzen',
  'must use https': 'muss https benutzen',
  'must use https with FAPI 2.0': 'muss mit FAPI 2.0 https benutzen',
  'needs jwks or jwksUri': 'braucht jwks oder jwksUri',
  'needs the R2 binding ASSET_BUCKET': 'braucht die R2-Binding ASSET_BUCKET',
}
