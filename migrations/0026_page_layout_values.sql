-- A column that was added to a table takes no CHECK. By hand, because drizzle-kit knows no triggers.
CREATE TRIGGER `page_layout_insert` BEFORE INSERT ON `sign_in_experiences`
WHEN coalesce(NEW.layout ->> '$.type', '') NOT IN ('Card', 'Split', 'Plain') BEGIN
	SELECT raise(ABORT, 'CHECK constraint failed: page_layout_value');
END;
--> statement-breakpoint
CREATE TRIGGER `page_layout_update` BEFORE UPDATE OF layout ON `sign_in_experiences`
WHEN coalesce(NEW.layout ->> '$.type', '') NOT IN ('Card', 'Split', 'Plain') BEGIN
	SELECT raise(ABORT, 'CHECK constraint failed: page_layout_value');
END;
