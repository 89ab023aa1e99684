-- Columns that were added to tables take no CHECK. By hand, because drizzle-kit knows no triggers.
CREATE TRIGGER `applications_claims_insert` BEFORE INSERT ON `applications`
WHEN NEW.claims IS NOT NULL AND (NOT json_valid(NEW.claims) OR length(CAST(NEW.claims AS blob)) > 2048) BEGIN
	SELECT raise(ABORT, 'CHECK constraint failed: claims_size');
END;
--> statement-breakpoint
CREATE TRIGGER `applications_claims_update` BEFORE UPDATE OF claims ON `applications`
WHEN NEW.claims IS NOT NULL AND (NOT json_valid(NEW.claims) OR length(CAST(NEW.claims AS blob)) > 2048) BEGIN
	SELECT raise(ABORT, 'CHECK constraint failed: claims_size');
END;
--> statement-breakpoint
CREATE TRIGGER `resources_claims_insert` BEFORE INSERT ON `resources`
WHEN NEW.claims IS NOT NULL AND (NOT json_valid(NEW.claims) OR length(CAST(NEW.claims AS blob)) > 2048) BEGIN
	SELECT raise(ABORT, 'CHECK constraint failed: claims_size');
END;
--> statement-breakpoint
CREATE TRIGGER `resources_claims_update` BEFORE UPDATE OF claims ON `resources`
WHEN NEW.claims IS NOT NULL AND (NOT json_valid(NEW.claims) OR length(CAST(NEW.claims AS blob)) > 2048) BEGIN
	SELECT raise(ABORT, 'CHECK constraint failed: claims_size');
END;
