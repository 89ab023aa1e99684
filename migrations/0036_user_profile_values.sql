-- A column that was added to a table takes no CHECK. By hand, because drizzle-kit knows no triggers.
CREATE TRIGGER `user_profile_insert` BEFORE INSERT ON `users`
WHEN NOT json_valid(NEW.profile) OR json_type(NEW.profile) <> 'object' BEGIN
	SELECT raise(ABORT, 'CHECK constraint failed: profile_value');
END;
--> statement-breakpoint
CREATE TRIGGER `user_profile_update` BEFORE UPDATE OF profile ON `users`
WHEN NOT json_valid(NEW.profile) OR json_type(NEW.profile) <> 'object' BEGIN
	SELECT raise(ABORT, 'CHECK constraint failed: profile_value');
END;
